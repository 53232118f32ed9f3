/**
 * What a program that a test starts needs of this process: where other programs are, and what Node has
 * compiled before. Its settings are the test's.
 */
export const environment = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
};
