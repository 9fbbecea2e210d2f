/** Requests that have not ended, as folds keep them. */

/** One is sent at a time; the others died with their process. More than the newest few need not be known, for none of them will end. */
export const MAX_OPEN = 8;
