import { slashCommand } from '../../slash-command.ts'

export const board = slashCommand({
  name: 'board',
  help: 'all conversations, of other machines too',
  group: 'program',
  needs: ['board'],
  async run(app) {
    const { showBoard } = await import('./show-board.ts')
    await showBoard(app)
  },
})
