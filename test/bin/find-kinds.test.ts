import { expect, test } from 'vitest'
import { command } from '../../bin/cli/commands/find.ts'
import { passageKinds } from '../../src/storage/find/passage.ts'

test('zotui find completes and explains every kind of passage', () => {
  const { kind } = command.flags
  expect(kind).toMatchObject({ completes: passageKinds, text: expect.stringContaining(passageKinds.join(', ')) })
})
