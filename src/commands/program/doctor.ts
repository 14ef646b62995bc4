import { slashCommand } from '../slash-command.ts'

export const doctor = slashCommand({
  name: 'doctor',
  aliases: ['debug', 'bug'],
  help: 'check the installation; safe to paste into a bug report',
  group: 'program',
  needs: ['doctor'],
  async run({ context: { hint, host, dispatch, show } }) {
    hint('Checking the terminal and the machine…')
    const report = await host?.examine?.()
    dispatch({ type: 'hinted', hint: null })
    if (report !== undefined) show(`\`\`\`\`text\n${report}\n\`\`\`\``)
  },
})
