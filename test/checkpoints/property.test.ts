/** A restore brings the files of a folder back, whatever happens to it, and the user's own stays byte for byte. */
import { chmodSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { stage } from './stage.ts'

const names = ['a', 'b', 'dir/a', 'dir/b', 'dir/deep/a', 'x.log', 'dir/x.log', 'ö ü']
const operation = fc.oneof(
  fc.record({
    do: fc.constant('write' as const),
    name: fc.constantFrom(...names),
    text: fc.constantFrom('', '1\n', '2\r\n', '\0', '1'),
  }),
  fc.record({ do: fc.constant('remove' as const), name: fc.constantFrom(...names, 'dir') }),
  fc.record({
    do: fc.constant('link' as const),
    name: fc.constantFrom('a', 'b', 'dir'),
    text: fc.constantFrom('ö ü', '..', 'nowhere'),
  }),
  fc.record({ do: fc.constant('run' as const), name: fc.constantFrom(...names) }),
  fc.record({ do: fc.constant('git' as const), name: fc.constantFrom('add', 'commit', 'stash', 'reset') }),
)
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never

function perform(step: Operation, { folder, git }: ReturnType<typeof stage>): void {
  const path = join(folder, step.name)
  try {
    if (step.do === 'remove') rmSync(path, { recursive: true, force: true })
    if (step.do === 'write') {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, step.text)
    }
    if (step.do === 'link') symlinkSync(step.text, path)
    if (step.do === 'run' && lstatSync(path).isFile()) chmodSync(path, 0o755)
    if (step.do === 'git' && step.name === 'add') git('add', '-A')
    if (step.do === 'git' && step.name === 'commit') git('commit', '-qam', 'x')
    if (step.do === 'git' && step.name === 'stash') git('stash', '-q')
    if (step.do === 'git' && step.name === 'reset') git('reset', '-q')
  } catch {
    // The folder does not allow it: something else is there.
  }
}

/** Files that the rules do not ignore, which a restore brings back. */
const followed = (files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).filter(([path]) => !path.endsWith('.log')))
const ignored = (files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).filter(([path]) => path.endsWith('.log')))

test('random trees and operations', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(operation, { maxLength: 12 }),
      fc.array(operation, { maxLength: 12 }),
      async (isGit, first, second) => {
        const here = stage({ '.gitignore': '*.log\n', a: '1\n' }, isGit)
        const { make, restore, files, own } = here
        for (const step of first) perform(step, here)
        const before = files()
        const id = await make()
        for (const step of second) if (step.do !== 'git') perform(step, here)
        const [after, mine] = [files(), isGit ? own() : null]
        const { failed, undo } = await restore(id)
        const now = files()
        // A file cannot come back where a folder with ignored files is now.
        expect(failed.length > 0 ? followed(before) : followed(now)).toEqual(followed(before))
        expect(now).toMatchObject(ignored(after))
        expect(isGit ? own() : null).toEqual(mine)
        const undone = await restore(undo)
        const isWhole = failed.length + undone.failed.length === 0
        expect(isWhole ? followed(files()) : followed(after)).toEqual(followed(after))
      },
    ),
    { numRuns: Number(process.env['ZOTUI_RUNS'] ?? 12) },
  )
})
