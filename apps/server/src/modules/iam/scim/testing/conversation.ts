/** One call of a recorded conversation: the directory's request, word for word, and the parts of the answer it uses. */
export interface Step {
  readonly what: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `{name}` stands for an id that an earlier step kept. */
  readonly path: string
  readonly body?: unknown
  readonly status: number
  /** Members of the answer, as `toMatchObject` reads them. */
  readonly answer?: unknown
  /** Keeps the id of the answer, or of the first resource of a list, under this name. */
  readonly keep?: string
}

export interface Conversation {
  readonly directory: string
  /** The vendor's page that describes these messages. */
  readonly source: string
  readonly steps: readonly Step[]
}
