declare const ZOTUI_VERSION: string

/** zotui's version, inserted by the build; scripts that read the tables of the command line have none. */
export const version: string = typeof ZOTUI_VERSION === 'string' ? ZOTUI_VERSION : ''
