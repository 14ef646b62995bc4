/** The variables that a text names: `$NAME` or `${NAME}`. `$$` is a `$`. Pure. */
const VARIABLE = /\$(?:\$|(\w+)|\{(\w+)\})/g

/** The text with their values in their places. */
export function withVariables(text: string, valueOf: (name: string) => string): string {
  return text.replaceAll(VARIABLE, (_written, plain?: string, braced?: string) => {
    const name = plain ?? braced
    return name === undefined ? '$' : valueOf(name)
  })
}

export function variablesIn(text: string): string[] {
  const names: string[] = []
  withVariables(text, name => {
    names.push(name)
    return ''
  })
  return names
}
