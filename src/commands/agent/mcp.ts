/** `/mcp`: the MCP servers of the settings and those that the agent has reported, with their states. */
import type { ToolServer } from '../../agent/session-events.ts'
import type { CommandApp } from '../../app/command-app.ts'
import { inlineCode as code } from '../../text/fence.ts'
import { lookup } from '../../text/lookup.ts'
import { slashCommand } from '../slash-command.ts'

type McpContext = CommandApp['context']

export const mcp = slashCommand({
  name: 'mcp',
  help: 'MCP servers and their states',
  group: 'agent',
  run({ context }) {
    const { settings, backend, state, addProgramNotice } = context
    const { servers } = state().chat
    const { mcp: configured } = settings.values()
    const names = new Set([...Object.keys(configured), ...servers.map(({ name }) => name)])
    const takes = backend.abilities.has('servers')
    const rows = [...names].map(name => {
      const reported = servers.find(each => each.name === name)
      return `- **${code(name)}** ${serverWords(lookup(configured, name))}\n  ${stateWords(context, reported, takes)}`
    })
    const all = [...rows, ...untrustedRows(context)]
    const own = ownCommand(context)
    const hint = own === '' ? 'docs/agents.md shows how to set them.' : `/${own} asks ${backend.name} itself.`
    if (all.length === 0) return addProgramNotice('info', 'No MCP servers are set.', hint)
    context.show([all.join('\n'), ...(own === '' ? [] : [`\`/${own}\` asks ${backend.name} itself.`])].join('\n\n'))
  },
})

function serverWords(server: ReturnType<McpContext['settings']['values']>['mcp'][string] | undefined): string {
  if (!server) return 'of the agent itself'
  return 'command' in server ? code([server.command, ...(server.args ?? [])].join(' ')) : code(server.url)
}

function stateWords({ backend, state }: McpContext, server: ToolServer | undefined, takes: boolean): string {
  const { phase } = state().chat.agent
  if (!takes && phase === 'ready') return `not used: ${backend.name} takes no MCP servers`
  if (!server) return phase === 'ready' ? 'not used yet: /restart starts the agent with it' : 'the agent is not running'
  if (server.state === 'running') return 'running'
  if (server.state === 'unknown') return `passed to ${backend.name}, which has reported no problem with it`
  return server.reason === undefined ? 'did not start' : `did not start: ${code(server.reason)}`
}

/** What would run is shown before the user trusts the project. */
function untrustedRows({ settings }: McpContext): string[] {
  if (!settings.ignored().includes('mcp')) return []
  return Object.entries(settings.projectValue('mcp') ?? {}).map(([name, server]) => {
    return `- **${code(name)}** ${serverWords(server)}\n  not used until you trust this project (\`/settings trust\`)`
  })
}

/** The command of the same name with which the agent says what it knows of its servers; '' for none. */
function ownCommand({ backend, commands }: McpContext): string {
  const name = `${backend.name}:mcp`
  return commands().some(command => command.name === name || command.aliases.includes(name)) ? name : ''
}
