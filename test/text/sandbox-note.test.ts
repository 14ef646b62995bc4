import { expect, test } from 'vitest'
import { limitsNote, withoutLimitsNote } from '../../src/text/sandbox-note.ts'

const note = limitsNote(['/home/ann/project', '/srv/build'], 'It has no network.')

test.each([
  ['alone, with the empty line before it', `cannot write\n\n${note}`, 'cannot write'],
  ['after another note, which stays', `x\n\n[sandbox] refused\n${note}`, 'x\n\n[sandbox] refused'],
  ['before another note, which stays', `x\n\n${note}\n[sandbox] refused`, 'x\n\n[sandbox] refused'],
  ['with no output at all', note, ''],
])('the note about the limits is left out: %s', (_where, output, rest) => expect(withoutLimitsNote(output)).toBe(rest))

test.each([
  ['what only looks like it, in the middle of an output', `${note}\nmore output`],
  ['another note', 'x\n\n[sandbox] The connection to a:1 was refused.'],
  ['an output without notes', 'x\n'],
  ['no output', ''],
])('%s stays', (_what, output) => expect(withoutLimitsNote(output)).toBe(output))
