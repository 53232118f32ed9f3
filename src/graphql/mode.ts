/**
 * To be loaded before Grafast, which reads this once: the checks of its development mode are for
 * its own developers, and take many times the time of planning.
 */
process.env.GRAPHILE_ENV ??= "production";
