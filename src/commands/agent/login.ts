import { slashCommand } from '../slash-command.ts'

export const login = slashCommand({
  name: 'login',
  help: "store a provider's key, or log in",
  group: 'agent',
  needs: ['host'],
  abilities: ['login', 'loginMethods'],
  needsIdle: true,
  run: ({ turns }) => turns.keys.logIn(),
})
