/**
 * Import this before Grafast, which reads the variable once. The checks of its development mode are
 * for Grafast's own developers, and take many times longer than planning.
 */
process.env.GRAPHILE_ENV ??= "production";
