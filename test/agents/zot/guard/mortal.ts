/** A zotui that a test kills: it opens guarded zots, sends each a prompt, and writes each event as a line. */
import { flushCompileCache } from 'node:module'
import process from 'node:process'
import { createZotBackend } from '../../../../src/agents/zot/backend.ts'
import { launchGuardedZot, type GuardLaunch } from '../../../../src/agents/zot/guard/guarded-launch.ts'
import { startWatchdog } from '../../../../src/platform/watchdog.ts'
import { createLocalTools } from '../../../../src/local-tools/local-tools.ts'
import { zotTools } from '../../../../src/local-tools/as-zot/zot-tools.ts'

const launches = JSON.parse(process.argv[2] ?? '') as Omit<GuardLaunch, 'toolsOf'>[]
const { watch } = process.argv[3] === 'watched' ? startWatchdog() : {}
// Nothing is kept by a process that is killed.
flushCompileCache()
await Promise.all(launches.map(run))

async function run(launch: Omit<GuardLaunch, 'toolsOf'>): Promise<void> {
  const toolsOf = (folder: string) => createLocalTools({ folder, env: launch.env, tools: zotTools })
  const backend = createZotBackend({
    connect: () => {
      throw new Error('this zot must have a guard')
    },
    connectGuarded: start => launchGuardedZot({ ...launch, watch, toolsOf, options: { ...launch.options, ...start } }),
  })
  backend.judgeWith(() => ({ verdict: 'ask', because: 'the test asks' }))
  backend.subscribe(event => void process.stdout.write(`${JSON.stringify(event)}\n`))
  await backend.open()
  await backend.prompt({ text: 'go', images: [] })
}
