import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'

/** Rooms whose tests change nothing that a later file in the same process could see. */
const sharedRooms =
  'app,components,composer,config,conversation,diff,export,golden,markdown,rows,state,style,terminal,text,tools,transcript,viewer'
/** Tests of how languages are loaded: none may be loaded before, and they load all. */
const loadLanguages = 'colours|highlight'
const shared = `test/{${sharedRooms}}/**/!(${loadLanguages}).test.{ts,tsx}`
/** Tests of the built program: what it does is in processes of its own. */
const ofProgram = 'test/stories/*.test.ts'
/** They mostly wait. */
const concurrent = { maxWorkers: 5, sequence: { groupOrder: 1 } }

// These need real agents or a browser: vitest.real-zot.config.ts and the like.
const exclude = [...configDefaults.exclude, 'test/real-{zot,agents,meerkat,browser}/**']

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
    projects: [
      {
        test: {
          ...common,
          name: 'shared',
          include: [shared],
          exclude,
          // A process and the modules of its own for each file took as long again as the tests.
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...common,
          name: 'isolated',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...exclude, shared, ofProgram],
          ...concurrent,
        },
      },
      {
        test: {
          ...common,
          name: 'program',
          include: [ofProgram],
          exclude,
          isolate: false,
          ...concurrent,
        },
      },
    ],
  },
})
