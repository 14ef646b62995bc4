/** The texts, files and images that the chips in the composer stand for. */
import type { PromptImage } from '../../agent/backend.ts'
import { CHIP_COLUMNS, CHIP_NUMBERS, chipCharacter, chipsIn, placedChips, replaceChips } from '../../composer/chips.ts'
import { linesText, mentionText, type MentionedLines } from '../../composer/mentions.ts'
import { oneLine, sanitize } from '../../text/sanitize.ts'
import { shortenPath } from '../../text/lines/shorten.ts'
import { displayWidth } from '../../text/lines/width.ts'

export type Chip = { kind: 'paste'; label: string; text: string } | FileChip | ImageChip

export type FileChip = { kind: 'file'; label: string; path: string; lines: MentionedLines | null }

export type ImageChip = {
  kind: 'image'
  label: string
  /** Null for an image of an earlier draft that has not been read again, or cannot be: only its label is left. */
  image: PromptImage | null
  bytes: number
  /** The hash of its content, in hex. */
  sha256: string
  /** Null if it did not come from a file. */
  path: string | null
}

/** The chips by their character in the text. None is ever removed, since an undo may bring it back. */
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

/** The chip for a file, with its label cut to the width of a chip. `fact` says how much of the file is sent. */
export function fileChip(path: string, lines: MentionedLines | null, fact = ''): Chip {
  const end = linesText(lines) + (fact && ` ${fact}`)
  const name = shortenPath(oneLine(sanitize(path)), CHIP_COLUMNS - 1 - displayWidth(end), '...')
  return { kind: 'file', label: `@${name}${end}`, path, lines }
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
  // After a thousand chips of one width in one session, the first is forgotten.
  return chipCharacter(columns, 0)
}

/** The text for the agent, with pastes and paths in full, and its images, whose labels stay in the text. */
export function expand(text: string, chips: Chips): { text: string; images: PromptImage[] } {
  // An image that appears twice is sent once: its label identifies it.
  const images = [...new Set(chipsIn(text))].flatMap(character => {
    const chip = chips.get(character)
    return chip?.kind === 'image' && chip.image ? [chip.image] : []
  })
  return { text: replaceChips(text, character => fullText(chips.get(character))), images }
}

/** The part of a prompt that can mention files: pastes mention none. */
export function mentioningText(text: string, chips: Chips): string {
  return replaceChips(text, character => {
    const chip = chips.get(character)
    return chip?.kind === 'file' ? fullText(chip) : ' '
  })
}

/** The text for zotui itself or for a shell: a file becomes its path, written by `shown`. */
export function withPaths(text: string, chips: Chips, shown = (path: string): string => path): string {
  return replaceChips(text, character => {
    const chip = chips.get(character)
    return chip?.kind === 'file' ? shown(chip.path) : fullText(chip)
  })
}

/** The length of the expanded text. */
export function expandedLength(text: string, chips: Chips): number {
  return chipsIn(text).reduce((sum, chip) => sum + fullText(chips.get(chip)).length, text.length)
}

/** The images in a text, with the offset of each label in the expanded text. */
export function placedImages(text: string, chips: Chips): { chip: ImageChip; at: number }[] {
  let more = 0
  return placedChips(text).flatMap(({ chip: character, at }) => {
    const chip = chips.get(character)
    const place = at + more
    more += fullText(chip).length - character.length
    return chip?.kind === 'image' ? [{ chip, at: place }] : []
  })
}

/** The stored facts about an image in an earlier text. */
export type PlacedLabel = { label: string; at: number; sha256: string; path?: string }

/**
 * Replaces the labels of images in a text by chips. `added` are these chips, by their characters, still without their
 * images. A label that is not at its recorded place stays text.
 */
export function withImageChips<Known extends PlacedLabel>(
  text: string,
  images: readonly Known[],
  chips: Chips,
): { text: string; chips: Chips; added: ReadonlyMap<string, Known> } {
  const all = new Map(chips)
  const added = new Map<string, Known>()
  const fromBehind = images.toSorted((a, b) => b.at - a.at)
  const result = fromBehind.reduce((rest, known) => {
    const { label, at, sha256, path = null } = known
    if (label === '' || at < 0 || displayWidth(label) > CHIP_COLUMNS || !rest.startsWith(label, at)) return rest
    const character = characterFor(label, all)
    all.set(character, { kind: 'image', label, image: null, bytes: 0, sha256, path })
    added.set(character, known)
    return rest.slice(0, at) + character + rest.slice(at + label.length)
  }, text)
  return { text: result, chips: all, added }
}

/** The images in a text, for the sum of their sizes. */
export function imagesIn(text: string, chips: Chips): { bytes: number }[] {
  return [...new Set(chipsIn(text))].flatMap(character => {
    const chip = chips.get(character)
    return chip?.kind === 'image' ? [chip] : []
  })
}

/** Puts the chips of `before` back into its expanded and edited text, if their text is unchanged. Pastes stay text. */
export function withChipsAgain(text: string, before: string, chips: Chips): string {
  return chipsIn(before).reduce((result, character) => {
    const chip = chips.get(character)
    // A function, since `$` has a meaning in a replacement string.
    return chip && chip.kind !== 'paste' ? result.replace(fullText(chip), () => character) : result
  }, text)
}

function fullText(chip: Chip | undefined): string {
  switch (chip?.kind) {
    case 'paste':
      return chip.text
    case 'file':
      return mentionText(chip.path, chip.lines)
    case 'image':
      return chip.label
    case undefined:
      return ''
  }
}

/** The text as the composer shows it. */
export function labelled(text: string, chips: Chips): string {
  return replaceChips(text, character => chips.get(character)?.label ?? '')
}
