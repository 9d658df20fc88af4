/** The secret of a mailed link. Pure. Tested in token.test.ts. */

/** @param text the link, the part behind its #, or the hash of this page's address */
export const tokenIn = (text: string): string => text.slice(text.lastIndexOf('#') + 1).trim()
