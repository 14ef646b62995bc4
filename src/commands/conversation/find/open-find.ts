import { findRequest } from '../../../app/find/finding.ts'
import type { CommandApp } from '../../../app/command-app.ts'

export function openFind(app: CommandApp, words: string): void {
  app.pages.open('find', findRequest(app, words))
}
