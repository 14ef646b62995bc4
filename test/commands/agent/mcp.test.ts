import { expect, test } from 'vitest'
import { noLayer } from '../../../src/config/layers.ts'
import { unsavedSettings, type SettingsStore } from '../../../src/config/settings.ts'
import type { Told } from '../../conversation/events.ts'
import { startedStage } from '../../app/stage.ts'

const files = { command: 'node', args: ['files.js'] }
const web = { type: 'http', url: 'https://mcp.example/' } as const

type Wanted = { settings?: SettingsStore; takes?: boolean; reports?: Told[] }

/** What `/mcp` says. */
async function said({ settings = unsavedSettings(), takes = true, reports = [] }: Wanted): Promise<string> {
  const stage = await startedStage(backend => (takes ? backend.with({ servers: true }) : backend), {
    settings,
  })
  await stage.say('hello')
  stage.backend.tell(...reports)
  await stage.done()
  await stage.say('/mcp')
  return stage.entries().at(-1) ?? ''
}

test('/mcp lists the servers of the settings and those that the agent has reported', async () => {
  const settings = unsavedSettings({ mcp: { files, web, old: { type: 'sse', url: 'http://old/' }, late: files } })
  const text = await said({
    settings,
    reports: [
      {
        type: 'servers_reported',
        servers: [
          { name: 'files', state: 'unknown' },
          { name: 'web', state: 'running' },
          { name: 'old', state: 'failed', reason: 'zot takes no servers of the type sse' },
          { name: 'theirs', state: 'failed' },
        ],
      },
    ],
  })
  for (const row of [
    '- **`files`** `node files.js`\n  passed to zot, which has reported no problem with it',
    '- **`web`** `https://mcp.example/`\n  running',
    '- **`old`** `http://old/`\n  did not start: `zot takes no servers of the type sse`',
    '- **`late`** `node files.js`\n  not used yet: /restart starts the agent with it',
    '- **`theirs`** of the agent itself\n  did not start',
  ])
    expect(text).toContain(row)
})

test('/mcp says that an agent takes none', async () => {
  const text = await said({ settings: unsavedSettings({ mcp: { files } }), takes: false })
  expect(text).toContain('not used: zot takes no MCP servers')
})

test('/mcp shows what a project would start before it is trusted', async () => {
  const settings: SettingsStore = {
    ...unsavedSettings(),
    ignored: () => ['mcp'],
    projectValue: name => (name === 'mcp' ? ({ files } as never) : noLayer.values[name]),
  }
  expect(await said({ settings })).toContain('- **`files`** `node files.js`\n  not used until you trust this project')
})

test('/mcp without servers says how to set them, or names the command of the agent', async () => {
  expect(await said({})).toContain('No MCP servers are set.')
  const commands = [{ name: 'mcp', description: 'its servers' }]
  const stage = await startedStage(backend => backend.with({ servers: true }))
  await stage.say('hello')
  stage.backend.tell({ type: 'agent_commands_changed', commands })
  await stage.done()
  await stage.say('/mcp')
  expect(JSON.stringify(stage.state().chat.entries.at(-1))).toContain('/zot:mcp asks zot itself.')
})
