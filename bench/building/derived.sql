/*
 * Fills the tables that triggers keep from others: fill.sql turns triggers off. Each such table needs
 * its rows here. None so far.
 */
