/** What an agent answers about abilities that it lacks. The class of an agent overrides the methods of those that it has. */
import type { Ability } from '../../agent/abilities.ts'
import type {
  Backend,
  Holding,
  KeyStore,
  LoginProgram,
  Model,
  Refused,
  Reply,
  StartOptions,
  Steer,
  SteerOutcome,
  Unasked,
} from '../../agent/backend.ts'

export abstract class BasicBackend implements Backend {
  readonly name: string
  readonly holder: Holding | null = null
  readonly keys: KeyStore | null = null

  constructor(name: string) {
    this.name = name
  }

  abstract get abilities(): ReadonlySet<Ability>
  abstract subscribe(...listener: Parameters<Backend['subscribe']>): () => void
  abstract open(...session: Parameters<Backend['open']>): Promise<void>
  abstract prompt(...prompt: Parameters<Backend['prompt']>): Promise<void>
  abstract abort(): void
  abstract close(): Promise<void>
  abstract kill(): Promise<void>

  leave(): Promise<void> {
    return this.kill()
  }

  async ping(_timeout: number): Promise<boolean | null> {
    return null
  }

  async compact(): Promise<void> {}

  async clear(): Promise<Reply> {
    return this.unsupported()
  }

  async listModels(): Promise<Reply<readonly Model[]>> {
    return this.unsupported()
  }

  async listEveryModel(): Promise<Reply<readonly Model[]>> {
    return this.unsupported()
  }

  async reading(..._when: Parameters<Backend['reading']>): ReturnType<Backend['reading']> {
    return null
  }

  async skillText(..._skill: Parameters<Backend['skillText']>): Promise<Reply<string>> {
    return this.unsupported()
  }

  startWith(_options: StartOptions): StartOptions {
    return {}
  }

  startOptions(): StartOptions {
    return {}
  }

  async replace(..._options: Parameters<Backend['replace']>): Promise<Reply> {
    return this.unsupported()
  }

  login(): LoginProgram | null {
    return null
  }

  loginMethods(): ReturnType<Backend['loginMethods']> {
    return []
  }

  logInWith(_method: string, _key: string | null): void {}

  async logOut(): Promise<Reply<string>> {
    return this.unsupported()
  }

  async setModel(_id: string): Promise<Reply> {
    return this.unsupported()
  }

  async setReasoning(_level: string): Promise<Reply> {
    return this.unsupported()
  }

  async setOption(_id: string, _value: string | boolean): Promise<Reply> {
    return this.unsupported()
  }

  answerQuestion(..._answer: Parameters<Backend['answerQuestion']>): void {}

  async listSessions(): ReturnType<Backend['listSessions']> {
    return this.unsupported()
  }

  async openSession(_id: string): Promise<Reply> {
    return this.unsupported()
  }

  async resumeSession(..._session: Parameters<Backend['resumeSession']>): Promise<Reply> {
    return this.unsupported()
  }

  judgeWith(..._judge: Parameters<Backend['judgeWith']>): void {}

  answerPermission(..._answer: Parameters<Backend['answerPermission']>): void {}

  setPermissionMode(..._mode: Parameters<Backend['setPermissionMode']>): void {}

  startIn(..._choice: Parameters<Backend['startIn']>): void {}

  unasked(): Unasked | null {
    return null
  }

  async listRunning(): ReturnType<Backend['listRunning']> {
    return []
  }

  async steer(_steer: Steer): Promise<SteerOutcome> {
    return { how: 'refused', message: this.unsupported().message }
  }

  withdrawSteer(_id: string): void {}

  async stopTask(_id: string): Promise<Reply> {
    return this.unsupported()
  }

  async setFolders(_folders: readonly string[]): Promise<Reply<string | null>> {
    return this.unsupported()
  }

  async renameSession(_title: string): Promise<Reply> {
    return this.unsupported()
  }

  async endRunning(_pid: number): Promise<Reply> {
    return this.unsupported()
  }

  protected unsupported(): Refused {
    return { ok: false, message: `${this.name} does not support that` }
  }
}
