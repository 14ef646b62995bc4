declare const safe: unique symbol

/** Text that may be printed as it is. Only `../sanitize.ts` makes it. It may contain newlines and tabs. */
export type SafeText = string & { readonly [safe]: true }
