/** The state of vim in addition to the text: its mode, the unfinished command, and the registers and repeats. */
import type { TextRange } from '../editor.ts'
import type { Step } from '../undo.ts'

export type VimMode = 'normal' | 'insert' | 'visual' | 'visual-line' | 'replace'

/** A piece of text; one of whole lines is put above or below a line. It has no newline at its end. */
export interface Register {
  readonly text: string
  readonly isLinewise: boolean
}

export interface Registers {
  /** By the sign of the register, in lower case. */
  readonly kept: ReadonlyMap<string, Register>
  /** The register that the unnamed one stands for. */
  readonly unnamed: string
}

/** The part of a command that names its text: `w`, `fx`, `iw`; `line` for a doubled operator such as `dd`. */
export interface VimTarget {
  readonly name: string
  /** The character of `f`, the text of `/`. */
  readonly argument: string
}

export interface VimCommand {
  readonly register: string | null
  readonly count: number | null
  /** An operator (`d`), `move`, or any other command (`p`). */
  readonly verb: string
  readonly target: VimTarget | null
  /** The character of `r`. */
  readonly argument: string
}

/** The extent of a selection, for a command that is repeated. */
export interface VisualExtent {
  readonly isLinewise: boolean
  readonly lines: number
  /** Columns of the only line, or the column in the last one. */
  readonly column: number | 'end'
}

/** The last change, for `.`. */
export interface LastChange {
  readonly command: VimCommand
  /** Absent if nothing was selected. */
  readonly extent?: VisualExtent
  /** The text that was typed in it, and the number of characters that were deleted to the left before. */
  readonly typed: { readonly text: string; readonly erased: number } | null
}

/** The state in which the present typing began. */
export interface Insertion {
  /** The text and the undo steps before the command, and the caret that an undo returns to. */
  readonly original: string
  readonly undo: readonly Step[]
  readonly caretBefore: number
  /** The text and the caret when the typing began. */
  readonly text: string
  readonly caret: number
  readonly change: Omit<LastChange, 'typed'>
  /** The number of times that the text is inserted. */
  readonly times: number
  /** Whether each of these opens a line. */
  readonly opensLines: boolean
  /** The characters that were overwritten, for Backspace, and the caret after them. */
  readonly overwritten: { readonly characters: readonly string[]; readonly caret: number }
}

export interface Vim {
  readonly mode: VimMode
  /** The keys of a command that is not complete. */
  readonly pending: readonly string[]
  /** The selection's other end in a visual mode. */
  readonly anchor: number
  /** The selected text in a visual mode, with the character under the caret. */
  readonly marked: TextRange | null
  /** The column that moving up and down keeps; counts only while the caret is still `at`. */
  readonly goal: { readonly at: number; readonly column: number | 'end' } | null
  /** The last search in a line with f, F, t or T. */
  readonly find: VimTarget | null
  /** The last search in the text: `name` is / or ?. */
  readonly search: VimTarget | null
  readonly registers: Registers
  readonly change: LastChange | null
  /** Null also for text whose typing began before vim was switched on. */
  readonly insertion: Insertion | null
  /** The last selection, for `gv`. */
  readonly lastVisual: {
    readonly mode: 'visual' | 'visual-line'
    readonly anchor: number
    readonly caret: number
  } | null
}

/** The first state. The mode is `insert` by default, since a prompt is to be typed. */
export function newVim(mode: 'insert' | 'normal' = 'insert'): Vim {
  return {
    mode,
    pending: [],
    anchor: 0,
    marked: null,
    goal: null,
    find: null,
    search: null,
    registers: { kept: new Map(), unnamed: '"' },
    change: null,
    insertion: null,
    lastVisual: null,
  }
}
