declare const __VERSION__: string

/** zotui's own version, put in by the build. */
export const version: string = __VERSION__
