import type { CommandApp } from '../../app/command-app.ts'
import { keptTitle } from '../../state/pickers/session-rows.ts'
import { sentence } from '../../text/sentence.ts'
import { slashCommand } from '../slash-command.ts'

export const rename = slashCommand({
  name: 'rename',
  aliases: ['title'],
  argument: '[name]',
  help: 'give this session a name',
  group: 'conversation',
  needs: ['session'],
  run({ context }, argument) {
    const { sessions, hint, redact } = context
    if (!sessions) return void renameInHolder(context, keptTitle(redact(argument)))
    const { id, title } = sessions.current()
    if (argument === '')
      return hint(title() === '' ? NO_TITLE : `This session is called "${title()}". /rename gives it another name.`)
    sessions.rename(id, keptTitle(redact(argument)))
    hint(`This session is now called "${title()}".`)
    void renameOfAgent(context, title())
  },
})

/** Renames the session that another process holds. */
async function renameInHolder(context: CommandApp['context'], title: string): Promise<void> {
  const { backend, hint } = context
  if (title === '') return hint(NO_TITLE)
  const reply = await backend.holder?.rename(title)
  hint(reply?.ok ? `This session is now called "${title}".` : 'This session cannot be renamed now.')
  if (reply?.ok) await renameOfAgent(context, title)
}

/** An agent that keeps sessions itself lists this one by the same title. */
async function renameOfAgent({ backend, addProgramNotice }: CommandApp['context'], title: string): Promise<void> {
  if (title === '' || !backend.abilities.has('renameSession')) return
  const reply = await backend.renameSession(title)
  if (!reply.ok)
    addProgramNotice('warn', `${backend.name} keeps its own title for this session: ${sentence(reply.message)}`)
}

const NO_TITLE = 'This session has no name yet: /rename NAME sets one.'
