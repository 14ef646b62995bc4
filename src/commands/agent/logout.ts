import { slashCommand } from '../slash-command.ts'

export const logout = slashCommand({
  name: 'logout',
  help: 'log out',
  group: 'agent',
  needs: ['host'],
  abilities: ['login', 'logOut'],
  needsIdle: true,
  replacesAgent: () => true,
  run: ({ turns }) => turns.keys.logOut(),
})
