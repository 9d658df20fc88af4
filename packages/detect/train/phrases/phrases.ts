/**
 * Native sentences of one language that generators draw from. Entries may use the marks of `expand` in ../template.ts
 * with the slots declared here.
 */
export interface Phrases {
  /** ISO 639-1. */
  readonly lang: string
  readonly slots: Readonly<Record<string, readonly string[]>>
  readonly attacks: {
    /** Supersede the instructions. */
    readonly override: readonly string[]
    /** Extract system prompt, instructions, secrets, passwords the model was told to keep. */
    readonly leak: readonly string[]
    /** Persona, fiction, games or modes that remove the rules. */
    readonly jailbreak: readonly string[]
    /** Addressed to "the AI / assistant / summarizer" from inside a document or tool result. */
    readonly indirect: readonly string[]
    /** Other strategies: false authority, urgency, persuasion, refusal suppression, payload splitting, format tricks. */
    readonly other: readonly string[]
  }
  readonly benign: {
    /** Attack words in harmless use: "ignore the typo", "what is a system prompt", "act as a tour guide". */
    readonly hardNegatives: readonly string[]
    /** Everyday requests to an assistant. */
    readonly ordinary: readonly string[]
    /** Sentences of documents: mail, reports, recipes, reviews, notices. */
    readonly documents: readonly string[]
  }
}
