/** What a command prints and how it ends must not decide what is held. */
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { heldPlaces, whyNoGit } from '../../src/platform/held-places.ts'
import { listUnfinishedIn } from '../../src/platform/unfinished-folder.ts'
import { createCommandBoxes, type CommandBoxes } from '../../src/sandbox/command-boxes.ts'
import { reportOf } from '../../src/sandbox/report.ts'
import { workingBoxMaker } from '../../src/sandbox/working-box.ts'
import { runShell } from '../../src/platform/shell/run.ts'
import { makeHome, type Home } from '../helpers/home.ts'

const canBox = 'kind' in (await workingBoxMaker({ folder: '/', env: process.env }))
const place = { folder: '/srv/project', env: {}, writable: [], hasNetwork: true, hosts: [] }

test.each([
  ['a name that no system takes', `touch: cannot touch '/srv/${'a'.repeat(300)}': Read-only file system`],
  ['a path that no system takes', `touch: cannot touch '/srv${'/a'.repeat(3000)}': Read-only file system`],
  ['a NUL', "touch: cannot touch '/srv/a\0b': Read-only file system"],
])('a report of output with %s offers no folder', (_, output) => {
  const { refused } = reportOf({ exitCode: 1, output, endedOthers: false }, place)
  expect(refused === null || refused.path === null).toBe(true)
})
