import type { CommandApp } from '../../app/command-app.ts'
import { keptTitle } from '../../state/pickers/session-rows.ts'
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
  },
})

/** Renames the session that another process holds. */
async function renameInHolder({ backend, hint }: CommandApp['context'], title: string): Promise<void> {
  if (title === '') return hint(NO_TITLE)
  const reply = await backend.holder?.rename(title)
  hint(reply?.ok ? `This session is now called "${title}".` : 'This session cannot be renamed now.')
}

const NO_TITLE = 'This session has no name yet: /rename NAME sets one.'
