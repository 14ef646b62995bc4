/** Sequences for the terminal's title, progress, scrollback marks and notifications. Pure. */

const ST = '\u001B\\'

const osc = (content: string): string => `\u001B]${content}${ST}`

/** Saves the terminal's title; `POP_TITLE` restores it. */
export const PUSH_TITLE = '\u001B[22;2t'
/** Restores the title. It is emptied first, since some terminals cannot save one. */
export const POP_TITLE = `${osc('2;')}\u001B[23;2t`

/** `text` must hold no control character. */
export const setTitle = (text: string): string => osc(`2;${text}`)

/** The sequence that shows an indeterminate progress bar, or hides it. */
export const setProgress = (busy: boolean): string => osc(busy ? '9;4;3' : '9;4;0')

/** Marks this row as the start of a prompt. `redraw=0` says that it is not written again after a resize. */
export const PROMPT_BEGINS = osc('133;A;redraw=0')
/** Marks this row as the start of output. */
export const OUTPUT_BEGINS = osc('133;C')

/** The most bytes that all terminals take. */
export const CLIPBOARD_LIMIT = 74_994

/** Sets the clipboard; the text goes in base64. */
export const setClipboard = (base64: string): string => osc(`52;c;${base64}`)

/** The sequence of a notification. */
export type NotificationMethod = 'bell' | 'osc9' | 'osc99' | 'osc777'

/** `title` and `text` must hold no control character. */
export function notification(method: NotificationMethod, title: string, text: string): string {
  switch (method) {
    case 'bell':
      return '\u0007'
    case 'osc9':
      return osc(`9;${title}: ${text}`)
    case 'osc99':
      return osc(`99;i=zotui:d=0;${title}`) + osc(`99;i=zotui:d=1:p=body;${text}`)
    case 'osc777':
      return osc(`777;notify;${title.replaceAll(';', ',')};${text}`)
  }
}

/** Wraps a sequence for the terminal around tmux. tmux drops it unless `allow-passthrough` is on. */
export function throughTmux(sequence: string): string {
  return `\u001BPtmux;${sequence.replaceAll('\u001B', '\u001B\u001B')}${ST}`
}
