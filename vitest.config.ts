import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'

/** Folders whose tests change nothing that a later file in the same process could see. */
const sharedRooms =
  'agents,app,background,components,composer,config,conversation,diff,docs,doctor,export,golden,hooks,import,markdown,permissions,print,replay,state,style,terminal,text,tools,transcript,viewer'
/** The same, of folders that run git and shells. */
const runningRooms = 'agents/transport,agents/zot/guard,changes,local-tools,platform,storage,worktrees'
/** Tests of how languages are loaded: none may be loaded before, and they load all. */
const loadLanguages = 'colours|highlight'
const shared = `test/{${sharedRooms}}/**/!(${loadLanguages}).test.{ts,tsx}`
const running = `test/{${runningRooms}}/**/*.test.ts`
/** Tests of the built program: what it does is in processes of its own. */
const ofProgram = 'test/{stories,chaos}/*.test.ts'

// These need real agents or a browser: vitest.real-zot.config.ts and the like.
const exclude = [...configDefaults.exclude, 'test/real-{zot,agents,meerkat,browser,cluster,containers}/**']

/** What every suite has in common. */
export const common = {
  setupFiles: [fileURLToPath(new URL('test/helpers/settle.ts', import.meta.url))],
  // A test that waits has a deadline of its own that prints what it saw; this one only ends what has none.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // A wait for an event ends with it: its limit is only for a test that fails. One second is short on a machine that is shared.
  expect: { poll: { timeout: 20_000 } },
  // Stories run against real clocks, and a shared machine may stop for a second: there one is tried again. At a desk a
  // test that fails now and then should be seen.
  retry: process.env['CI'] ? 2 : 0,
}

export default defineConfig({
  test: {
    globalSetup: [fileURLToPath(new URL('test/helpers/temporary-folder.ts', import.meta.url))],
    // Most tests wait for a process. They run in the order of the projects' names: those that wait longest first.
    maxWorkers: 6,
    projects: [
      { test: { ...common, name: 'program', include: [ofProgram], exclude, isolate: false } },
      {
        test: {
          ...common,
          name: 'separate',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...exclude, shared, running, ofProgram],
        },
      },
      // A process is copied to run another program, which takes the longer the more it holds.
      { test: { ...common, name: 'running', include: [running], exclude, isolate: false } },
      // A process and the modules of its own for each file took as long again as the tests.
      { test: { ...common, name: 'shared', include: [shared], exclude: [...exclude, running], isolate: false } },
    ],
  },
})
