/**
 * Starts a thread from the source tree: Node 20 reads no TypeScript, and what reads it for the main thread does not
 * reach into threads. The bundle has its threads' files ready and does without this one. Plain JavaScript, so that it
 * runs without a loader.
 */
import { workerData } from 'node:worker_threads'
import { register } from 'tsx/esm/api'

register()
await import(workerData.entry)
