/** Entries of the queue on their way to another program and back: their chips are places in the whole text. */
import type { CarriedChip, HeldEntry } from '../../agent/held-queue.ts'
import { CHIP_COLUMNS, placedChips, withoutChips } from '../../composer/chips.ts'
import { displayWidth } from '../../text/lines/width.ts'
import { characterFor, expand, type Chip, type Chips } from './chips.ts'
import { commandEntry, promptEntry, type QueueEntry } from './queue-entry.ts'

/** The entry with its chips. `before` are outputs that go with it. */
export function carriedEntry(id: string, entry: QueueEntry, chips: Chips, before: readonly string[] = []): HeldEntry {
  const typed = entry.kind === 'prompt' ? entry.text : entry.argument
  let more = 0
  const carried = placedChips(typed).flatMap(({ chip: character, at }) => {
    const chip = chips.get(character)
    const { length } = expand(character, chips).text
    const place = { at: at + more, length }
    more += length - character.length
    return chip ? [carriedChip(chip, place)] : []
  })
  return {
    id,
    command: entry.kind === 'prompt' ? null : entry.name,
    text: expand(typed, chips).text,
    chips: carried,
    before,
  }
}

function carriedChip(chip: Chip, place: { at: number; length: number }): CarriedChip {
  const { label } = chip
  if (chip.kind === 'paste') return { ...place, kind: 'paste', label }
  if (chip.kind === 'file') return { ...place, kind: 'file', label, path: chip.path, lines: chip.lines }
  const { path, sha256, bytes, image } = chip
  return { ...place, kind: 'image', label, path, sha256, bytes, image }
}

/** The entry with chips in its text again, and all chips with those. A place that cannot be right stays text. */
export function placedEntry(carried: HeldEntry, chips: Chips): { entry: QueueEntry; chips: Chips } {
  const all = new Map(chips)
  const text = withoutChips(carried.text)
  // Characters of chips in the text would move all places, and are no chips of this program.
  const fromBehind = text === carried.text ? carried.chips.toSorted((a, b) => b.at - a.at) : []
  let shown = text
  let last = text.length
  for (const chip of fromBehind) {
    if (!isPlace(chip, last)) continue
    const end = chip.at + chip.length
    const character = characterFor(chip.label, all)
    all.set(character, chipOf(chip, text.slice(chip.at, end)))
    shown = shown.slice(0, chip.at) + character + shown.slice(end)
    last = chip.at
  }
  return { entry: carried.command === null ? promptEntry(shown) : commandEntry(carried.command, shown), chips: all }
}

/** `last` is where the next chip begins. */
function isPlace({ at, length, label }: CarriedChip, last: number): boolean {
  return at >= 0 && length > 0 && at + length <= last && label !== '' && displayWidth(label) <= CHIP_COLUMNS
}

function chipOf(chip: CarriedChip, text: string): Chip {
  const { label } = chip
  switch (chip.kind) {
    case 'paste':
      return { kind: 'paste', label, text }
    case 'file':
      return { kind: 'file', label, path: chip.path, lines: chip.lines }
    case 'image':
      return { kind: 'image', label, path: chip.path, sha256: chip.sha256, bytes: chip.bytes, image: chip.image }
  }
}

/** The part of a text that may mention files: pastes and labels of images mention none. */
export function mentioningPart({ text, chips }: HeldEntry): string {
  return chips
    .filter(({ kind }) => kind !== 'file')
    .toSorted((a, b) => b.at - a.at)
    .reduce((rest, { at, length }) => `${rest.slice(0, at)} ${rest.slice(at + length)}`, text)
}
