/** The part of the live feed that keys and credentials listen to. */
export interface ChangeSource {
  /** Calls for every change of the topic until the answer is called. */
  on(
    topic: string,
    handler: (key: string, data: Readonly<Record<string, unknown>>, tenantId: string) => void,
  ): () => void
  /** Milliseconds since the feed last heard from the database. */
  lastContactMs(): number
}
