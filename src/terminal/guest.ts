/**
 * Runs another program on the alternate screen. It can neither leave that screen nor erase the shell's, and a line at the bottom
 * says how to return.
 */

const ESC = '\u001B'
const CSI = `${ESC}[`
const SAVE = `${ESC}7`
const RESTORE = `${ESC}8`
const WHOLE_REGION = `${CSI}r`

/** Turns off the modes that a killed program may have left on. */
const PLAIN = `${CSI}0m${CSI}?1000l${CSI}?1002l${CSI}?1003l${CSI}?1006l${CSI}?1004l${CSI}?2004l${CSI}?2026l${CSI}>4m${CSI}?25h`
const LEAVE = `${CSI}?1049l`

/** The private modes that switch to another screen and back. */
const SCREENS = new Set(['47', '1047', '1048', '1049'])
/** In a screen with fewer rows, the program gets all of them. */
const LEAST_ROWS = 8

/** Matches a reset or any control sequence. */
const SEQUENCE = /\u001B(?:c|\[([\u0030-\u003F]*)([\u0020-\u002F]*)([\u0040-\u007E]))/g
/** Matches the beginning of a sequence whose rest may still come. */
const BEGUN = /\u001B(?:\[[\u0030-\u003F]{0,64}[\u0020-\u002F]{0,4})?$/

export type Guest = {
  /** The number of rows for the program. */
  rows: number
  enter: string
  /** The bytes that leave the screen, and switch off the modes that the program has on by now. */
  readonly leave: string
  /** The program's output as it goes to the terminal. */
  through: (bytes: Buffer) => Buffer
  /** Gives the program the whole screen after a resize. */
  resized: () => string
}

/** `line` is plain text. */
export function createGuest({ columns, rows }: { columns: number; rows: number }, line: string): Guest {
  let hasLine = rows >= LEAST_ROWS
  let begun = ''
  /** The keyboard modes (kitty) that the program has pushed and not popped, and whether it has changed one without that. */
  let keyModes = 0
  let setsKeyMode = false
  const region = (): string => (hasLine ? `${CSI}1;${rows - 1}r` : WHOLE_REGION)
  const bottom = (): string =>
    hasLine ? `${CSI}${rows};1H${CSI}0;7m${line.slice(0, columns).padEnd(columns)}${CSI}0m` : ''
  const drawLine = (): string => `${SAVE}${bottom()}${RESTORE}`
  const wipe = (): string => `${SAVE}${CSI}H${CSI}J${bottom()}${RESTORE}`

  function allowed(sequence: string, parameters = '', between = '', final = 'c'): string {
    if (between !== '') return sequence
    if (final === 'c') return sequence === `${ESC}c` ? wipe() : sequence
    if (final === 'r') return parameters === '' || /^[\d;]/.test(parameters) ? region() : sequence
    if (final === 'J') return erased(sequence, parameters.replace(/^\?/, ''))
    if (final === 'u') noteKeyMode(parameters)
    if ((final === 'h' || final === 'l') && parameters.startsWith('?')) return withoutScreens(parameters, final)
    return sequence
  }

  function noteKeyMode(parameters: string): void {
    if (parameters.startsWith('>')) keyModes += 1
    else if (parameters.startsWith('<'))
      keyModes = Math.max(0, keyModes - (Number.parseInt(parameters.slice(1), 10) || 1))
    else if (parameters.startsWith('=')) setsKeyMode ||= keyModes === 0
  }

  /** Popped one for one: a terminal may have a single stack, on which the modes of others lie. */
  function plainKeys(): string {
    return (keyModes === 0 ? '' : `${CSI}<${keyModes}u`) + (setsKeyMode ? `${CSI}=0u` : '')
  }

  function erased(sequence: string, what: string): string {
    if (what === '3') return ''
    return ['', '0', '1'].includes(what) ? sequence + drawLine() : wipe()
  }

  return {
    rows: hasLine ? rows - 1 : rows,
    enter: `${CSI}?1049h${CSI}H${CSI}J${region()}${drawLine()}${CSI}H`,
    get leave() {
      return WHOLE_REGION + plainKeys() + PLAIN + LEAVE
    },
    // One byte is one character here: only the sequences matter.
    through(bytes) {
      const text = begun + bytes.toString('latin1')
      begun = BEGUN.exec(text)?.[0] ?? ''
      const whole = text.slice(0, text.length - begun.length)
      return Buffer.from(whole.replace(SEQUENCE, allowed), 'latin1')
    },
    resized() {
      hasLine = false
      return WHOLE_REGION
    },
  }
}

function withoutScreens(parameters: string, final: string): string {
  const left = parameters
    .slice(1)
    .split(';')
    .filter(mode => !SCREENS.has(mode))
  return left.length === 0 ? '' : `${CSI}?${left.join(';')}${final}`
}
