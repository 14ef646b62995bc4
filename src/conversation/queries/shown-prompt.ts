/** The prompt as people see it: what the user typed, such as `/review main`, where the agent got what that stands for. */
export function shownPrompt({ prompt, typed = prompt }: { prompt: string; typed?: string | undefined }): string {
  return typed
}
