/** What the completion scripts and the program agree on. These commands are answered before oclif is loaded, and help does not list them. */

/** Prints what can stand at the end of a line. Its arguments are the words of the line after `homing`; the last one is being typed. */
export const COMPLETE = '__complete'

/** Reads the names of the account into the cache. Its arguments are the values of `--profile` and `--server`, or empty. */
export const REFRESH_NAMES = '__refresh-names'

/** The line of an answer that tells the script to complete file names. No candidate begins with a colon. */
export const FILES = ':files'
