import { slashCommand } from '../slash-command.ts'

export const compact = slashCommand({
  name: 'compact',
  aliases: ['compress', 'summarize'],
  help: 'replace the conversation with a summary',
  group: 'conversation',
  abilities: ['compact'],
  needsIdle: true,
  /** A fresh agent has nothing to compact: its summary is shortened instead. */
  async run({ context, turns }) {
    const { memory, machine } = turns
    if (memory.shorten()) context.addNotice('info', memory.line())
    else if (context.backend.abilities.has('compact')) await machine.request('compacted')
  },
})
