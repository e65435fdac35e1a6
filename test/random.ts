// Seeded random numbers for tests, the same on every machine.

import { seededRandom } from '../bench/fixture/seededRandom.ts'

/** Numbers from 0 up to 1. */
export const createRandom = (seed: number): (() => number) => seededRandom(seed).next

/** A standard normal draw (Box & Muller 1958). */
export const drawNormal = (chance: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance())
