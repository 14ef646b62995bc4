/** What the chips in the composer stand for. */
import type { PromptImage } from '../agent/backend.ts'
import { CHIP_COLUMNS, CHIP_NUMBERS, chipCharacter, chipsIn, replaceChips } from '../composer/chips.ts'
import { oneLine, sanitize } from '../text/sanitize.ts'
import { shortenPath } from '../text/shorten.ts'
import { displayWidth } from '../text/width.ts'

export type Chip =
  | { kind: 'paste'; label: string; text: string }
  | { kind: 'file'; label: string; path: string }
  | { kind: 'image'; label: string; image: PromptImage; bytes: number; file?: ImageFile }

/** Where an image was read, and what it was: enough to find it again. */
export type ImageFile = { path: string; sha256: string }

/** By their character in the text. Only added to: an undo may bring any of them back. */
export type Chips = ReadonlyMap<string, Chip>

/** A paste with more lines or more characters than these becomes a chip. */
const PASTE_LINES = 5
const PASTE_CHARACTERS = 500

export function isLongPaste(text: string): boolean {
  return text.length > PASTE_CHARACTERS || text.split('\n', PASTE_LINES + 1).length > PASTE_LINES
}

/** The chip that a long paste becomes. */
export function pasteChip(text: string, chips: Chips): Chip {
  const lines = text.split('\n').length
  const size = lines > 1 ? `${lines} lines` : `${text.length} characters`
  return { kind: 'paste', label: `[Pasted #${numberOf('paste', chips)}: ${size}]`, text }
}

/** The chip for a file: its label is no wider than a chip may be, what is sent is the whole path. */
export function fileChip(path: string): Chip {
  return { kind: 'file', label: `@${shortenPath(oneLine(sanitize(path)), CHIP_COLUMNS - 1, '...')}`, path }
}

/** The next number in the labels of a kind of chip. */
export function numberOf(kind: Chip['kind'], chips: Chips): number {
  return [...chips.values()].filter(chip => chip.kind === kind).length + 1
}

/** A character for a new chip that no other has. */
export function characterFor(label: string, chips: Chips): string {
  const columns = Math.min(displayWidth(label), CHIP_COLUMNS)
  for (let number = 0; number < CHIP_NUMBERS; number += 1) {
    const character = chipCharacter(columns, number)
    if (!chips.has(character)) return character
  }
  // A thousand chips of one width in one session: the first of them is forgotten.
  return chipCharacter(columns, 0)
}

/** What the agent is sent: pastes and paths in full, pictures beside the text with their label in it. */
export function expand(text: string, chips: Chips): { text: string; images: PromptImage[] } {
  const images = chipsIn(text).flatMap(character => {
    const chip = chips.get(character)
    return chip?.kind === 'image' ? [chip.image] : []
  })
  return { text: replaceChips(text, character => fullText(chips.get(character))), images }
}

/** The images in some texts that can be found again after a restart, by their labels. */
export function imageFilesIn(texts: readonly string[], chips: Chips): (ImageFile & { label: string })[] {
  const characters = new Set(texts.flatMap(chipsIn))
  return [...characters].flatMap(character => {
    const chip = chips.get(character)
    return chip?.kind === 'image' && chip.file ? [{ label: chip.label, ...chip.file }] : []
  })
}

/** The images in a text, as far as their size matters. */
export function imagesIn(text: string, chips: Chips): { bytes: number }[] {
  return chipsIn(text).flatMap(character => {
    const chip = chips.get(character)
    return chip?.kind === 'image' ? [chip] : []
  })
}

/**
 * A text that was made of `before` by `expand` and changed since, with the chips again whose label stands in it as it did
 * then: a picture is nothing but its label there.
 */
export function withChipsAgain(text: string, before: string, chips: Chips): string {
  return chipsIn(before).reduce((result, character) => {
    const chip = chips.get(character)
    // As a function, since signs in a replacement may mean something.
    return chip?.kind === 'image' ? result.replace(chip.label, () => character) : result
  }, text)
}

function fullText(chip: Chip | undefined): string {
  switch (chip?.kind) {
    case 'paste':
      return chip.text
    case 'file':
      return chip.path
    case 'image':
      return chip.label
    case undefined:
      return ''
  }
}

/** The text as it looks in the composer. */
export function labelled(text: string, chips: Chips): string {
  return replaceChips(text, character => chips.get(character)?.label ?? '')
}
