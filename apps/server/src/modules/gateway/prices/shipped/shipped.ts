import type { ListPrice } from '../price.ts'
import { anthropicPrices } from './anthropic.ts'
import { openAiPrices } from './openai.ts'
import { otherPrices } from './others.ts'

/** Kinds whose models cost what their operator says (`openai_compatible`, `ollama`) have no price here. */
export const shippedPrices: readonly ListPrice[] = [...openAiPrices, ...anthropicPrices, ...otherPrices]
