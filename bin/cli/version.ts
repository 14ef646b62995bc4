declare const ZOTUI_VERSION: string

/** zotui's own version, put in by the build. */
export const version: string = ZOTUI_VERSION
