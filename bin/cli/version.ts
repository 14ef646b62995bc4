declare const ZOTUI_VERSION: string

/** zotui's version, inserted by the build. */
export const version: string = ZOTUI_VERSION
