/** Terminal input as tokens: keys, text, pastes and the terminal's own replies. Pure; the bytes come decoded. */
import { altKey, classify, controlKey, ESCAPE, type Token } from './key-encoding.ts'
import { ESC, isReplyStart, matchSequence, PASTE_END, PASTE_START } from './sequence.ts'
import { withoutEnd } from '../../text/without-end.ts'

/** Raw input and its token; null for unknown input. For a paste, `raw` is only its end. */
export type TakenInput = { raw: string; token: Token | null }

export type KeyReader = {
  /**
   * Takes input and returns the complete tokens. `paused` says that some time passed since the input before: then a lone ESC was
   * the key, unless this continues its sequence.
   */
  push(chunk: string, paused?: boolean): TakenInput[]
  /** Whether an unfinished token waits: then call `flush` if no input comes for a while. */
  waiting(): 'nothing' | 'sequence' | 'paste'
  /**
   * Gives up waiting: a lone ESC is the key, ESC and one character is Alt with it, and an unterminated paste is taken as it is.
   * An unfinished reply of the terminal still waits, since no key looks like it.
   */
  flush(): TakenInput[]
}

/** The character after the ESC of a sequence or a string. */
const SEQUENCE_GOES_ON = /^[[O\]P_^X]/

export function createKeyReader(): KeyReader {
  let pending = ''
  let paste: string[] | null = null

  return {
    push(chunk, paused = false) {
      const isOver = paused && paste === null && pending === ESC && !SEQUENCE_GOES_ON.test(chunk)
      const taken: TakenInput[] = isOver ? flush() : []
      pending += chunk
      while (pending !== '') {
        const before = pending
        const token = paste === null ? takeToken() : takePaste()
        if (pending === before) break
        if (paste === null) taken.push({ raw: before.slice(0, before.length - pending.length), token })
      }
      return taken
    },
    waiting: () => (paste !== null ? 'paste' : pending === '' ? 'nothing' : 'sequence'),
    flush,
  }

  function flush(): TakenInput[] {
    const taken: TakenInput[] = []
    if (paste !== null) {
      taken.push({ raw: PASTE_START, token: { kind: 'paste', text: paste.join('') + pending } })
      paste = null
      pending = ''
      return taken
    }
    for (; pending === ESC || pending.startsWith(ESC + ESC); pending = pending.slice(1)) {
      taken.push({ raw: ESC, token: ESCAPE })
    }
    if (pending === '' || isReplyStart(pending)) return taken
    // A longer unfinished sequence is neither a key nor text, so it is dropped.
    taken.push({ raw: pending, token: pending.length === 2 ? altKey(pending.slice(1)) : null })
    pending = ''
    return taken
  }

  function takePaste(): Token | null {
    const end = pending.indexOf(PASTE_END)
    if (end >= 0) {
      paste?.push(pending.slice(0, end))
      const text = paste?.join('') ?? ''
      paste = null
      pending = pending.slice(end + PASTE_END.length)
      return { kind: 'paste', text }
    }
    // The end mark may be split over two reads.
    const keep = partialSuffix(pending, PASTE_END)
    paste?.push(pending.slice(0, pending.length - keep))
    pending = pending.slice(pending.length - keep)
    return null
  }

  function takeToken(): Token | null {
    if (pending.startsWith(PASTE_START)) {
      paste = []
      pending = pending.slice(PASTE_START.length)
      return null
    }
    const code = pending.charCodeAt(0)
    if (code === 0x1b) return takeEscape()
    if (code >= 0x20 && code !== 0x7f) return takeText()
    pending = pending.slice(1)
    return controlKey(code)
  }

  function takeText(): Token | null {
    const control = pending.search(/[\u0000-\u001F\u007F]/)
    const read = control < 0 ? pending : pending.slice(0, control)
    // Text that continues after several line breaks in one read was not typed: it is a paste without brackets. One line break may
    // come from a user who types faster than the machine reads.
    const rest = pending.slice(read.length)
    if (/^(?:\r\n?|\n)[^\u0000-\u001F\u007F]+(?:\r\n?|\n)[^\u0000-\u001F\u007F]/.test(rest)) {
      const escape = pending.indexOf(ESC)
      const pasted = withoutEnd(escape < 0 ? pending : pending.slice(0, escape), /[\r\n]/)
      pending = pending.slice(pasted.length)
      return { kind: 'paste', text: pasted }
    }
    pending = rest
    const text = read.replace(/[\u0080-\u009F]/g, '')
    return text === '' ? null : { kind: 'text', text }
  }

  function takeEscape(): Token | null {
    const match = matchSequence(pending)
    if (match === null) return null
    pending = pending.slice(match.length)
    return classify(match)
  }
}

/** The number of characters at the end of `text` that may begin `mark`. */
function partialSuffix(text: string, mark: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length -= 1) {
    if (mark.startsWith(text.slice(-length))) return length
  }
  return 0
}
