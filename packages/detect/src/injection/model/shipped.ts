import { type InjectionModel, readModel } from './asset.ts'
import { modelData } from './model-data.ts'

/** Bytes of the model that ships. */
export function shippedModelBytes(): Uint8Array {
  const text = atob(modelData)
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = text.charCodeAt(i)
  return bytes
}

/** The model that ships, read anew. */
export const readShippedModel = (): InjectionModel => readModel(shippedModelBytes())
