/** `zotui review` lets an agent review a change and prints what it finds. */
import type { Subcommand } from '../command.ts'
import { runReview } from '../../wiring/review.ts'

export const command: Subcommand = {
  name: 'review',
  takes: [],
  summary: 'Let an agent review what is not committed, or a branch or pull request; it may only read.',
  flags: {
    rev: { type: 'string', value: 'REV', text: 'a branch, a tag or a commit to compare with, a range, or #12' },
    json: { type: 'boolean', text: 'print JSON' },
    sarif: { type: 'boolean', text: 'print SARIF 2.1.0' },
    failOn: {
      type: 'string',
      value: 'LEVEL',
      completes: ['error', 'warning', 'note', 'never'],
      text: 'exit with 1 if there is a finding of that level or worse (default: never)',
    },
    quiet: { type: 'boolean', text: 'do not show what the agent does' },
    timeout: { type: 'string', value: 'TIME', text: 'stop after 90s, 15m or 2h' },
    maxCost: { type: 'string', value: 'USD', text: 'stop when it has cost USD' },
    agent: { type: 'string', value: 'NAME', text: 'the agent (docs/agents.md)' },
    provider: { type: 'string', value: 'NAME', text: 'the provider, for zot' },
    model: { type: 'string', value: 'ID', text: 'the model, for zot' },
    reasoning: { type: 'string', value: 'LEVEL', text: 'the reasoning level, for zot' },
    baseUrl: { type: 'string', value: 'URL', text: 'the URL of the provider, for zot' },
    cwd: { type: 'string', value: 'DIR', completes: 'folder', text: 'review this folder' },
    on: { type: 'string', value: 'MACHINE', text: 'run the agent on another machine (docs/remote.md)' },
    demo: { type: 'boolean', text: 'use the built-in demo agent' },
  },
  run: async (call, _commands, start) => runReview(call, start),
}
