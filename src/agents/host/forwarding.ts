/** A backend that passes every request on to another one, which may be another one later. */
import type { Backend } from '../../agent/backend.ts'

/** Methods that a decorator answers itself. */
export type OwnMethods = Partial<Omit<Backend, 'name' | 'abilities' | 'holder' | 'keys'>>

/** `own` answers instead of the agent in use. `abilities` are those of the result, by default those of the agent. */
export function forwardTo(
  current: () => Backend,
  own: OwnMethods,
  abilities: () => Backend['abilities'] = () => current().abilities,
): Backend {
  const forwarding: Backend = {
    get name() {
      return current().name
    },
    get abilities() {
      return abilities()
    },
    get holder() {
      return current().holder
    },
    get keys() {
      return current().keys
    },
    subscribe: listener => current().subscribe(listener),
    open: session => current().open(session),
    prompt: prompt => current().prompt(prompt),
    abort: () => current().abort(),
    close: () => current().close(),
    kill: () => current().kill(),
    leave: () => current().leave(),
    ping: timeout => current().ping(timeout),
    compact: () => current().compact(),
    clear: () => current().clear(),
    listModels: () => current().listModels(),
    listEveryModel: () => current().listEveryModel(),
    reading: when => current().reading(when),
    skillText: skill => current().skillText(skill),
    startWith: options => current().startWith(options),
    startOptions: () => current().startOptions(),
    replace: (options, session) => current().replace(options, session),
    login: () => current().login(),
    loginMethods: () => current().loginMethods(),
    logInWith: (method, key) => current().logInWith(method, key),
    logOut: () => current().logOut(),
    setModel: id => current().setModel(id),
    setReasoning: level => current().setReasoning(level),
    setOption: (id, value) => current().setOption(id, value),
    answerQuestion: (id, values, how) => current().answerQuestion(id, values, how),
    listSessions: () => current().listSessions(),
    openSession: id => current().openSession(id),
    resumeSession: session => current().resumeSession(session),
    judgeWith: judge => current().judgeWith(judge),
    answerPermission: (id, answer, by) => current().answerPermission(id, answer, by),
    setPermissionMode: mode => current().setPermissionMode(mode),
    startIn: choice => current().startIn(choice),
    unasked: () => current().unasked(),
    listRunning: () => current().listRunning(),
    steer: steer => current().steer(steer),
    withdrawSteer: id => current().withdrawSteer(id),
    stopTask: id => current().stopTask(id),
    setFolders: folders => current().setFolders(folders),
    renameSession: title => current().renameSession(title),
    endRunning: pid => current().endRunning(pid),
  }
  return Object.assign(forwarding, own)
}
