import type { CommandApp } from '../../app/command-app.ts'
import { slashCommand } from '../slash-command.ts'

export const agent = slashCommand({
  name: 'agent',
  aliases: ['agents'],
  argument: '[name]',
  help: 'switch to another agent; it gets the conversation so far',
  group: 'agent',
  needs: ['agents'],
  needsIdle: true,
  replacesAgent: argument => argument !== '',
  run: (app, argument) => (argument === '' ? askAgent(app) : app.turns.life.switchTo(argument)),
})

async function askAgent({ context: { agents, backend, hint }, choicePrompt, turns }: CommandApp): Promise<void> {
  const known = (await agents?.list()) ?? []
  const isUsed = (name: string): boolean => name === backend.name
  const answers = known.map(({ name, title, missing }) => ({
    label: name,
    facts: [isUsed(name) ? 'in use' : missing === null ? 'installed' : 'not installed'],
    detail: missing ?? title,
    whole: missing === null ? title : `${title} is not installed: ${missing}.`,
    run: () => {
      if (isUsed(name)) return hint(`${name} is in use. /restart starts it again.`)
      return missing === null ? turns.command('agent', name) : hint(`${title} is not installed: ${missing}.`)
    },
  }))
  const selected = Math.max(
    0,
    known.findIndex(({ name }) => isUsed(name)),
  )
  choicePrompt.ask({ title: 'agent', answers, selected })
}
