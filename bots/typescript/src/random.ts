// A bot that plays any game at random. Equal seeds make equal choices in equally named matches.

import { parseArgs } from "node:util";
import { Client, optionCount, RANGE, SUBSET, type Decision, type Opened } from "./client.js";
import { fmix32 } from "./view.js";

/** Random numbers below a limit for one decision, drawn from the seed, the match, the seat and the decision. */
function randomness(seed: number, { matchId, seat }: Opened, decision: Decision): (limit: number) => number {
  let state = [...Buffer.from(matchId), seat, decision.id].reduce((mixed, next) => fmix32(mixed ^ next) + 1, seed);
  return (limit) => Math.floor((fmix32((state += 0x9e3779b9)) / 2 ** 32) * limit);
}

function choose(decision: Decision, below: (limit: number) => number): number[] {
  const { kind, low, high } = decision;
  const count = optionCount(decision);
  if (kind === RANGE) return [low + below(high - low + 1)];
  if (kind !== SUBSET) return [below(count)];
  let left = low + below(high - low + 1);
  return [...Array(count).keys()].filter((index) => below(count - index) < left && left-- > 0);
}

async function main(): Promise<void> {
  const { env } = process;
  const { values } = parseArgs({ options: {
    address: { type: "string", default: env.ZIGGURAT_ADDRESS ?? "127.0.0.1:50051" },
    name: { type: "string", default: env.ZIGGURAT_NAME ?? "random-ts" },
    token: { type: "string", default: env.ZIGGURAT_TOKEN ?? "" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 32)) },
    patience: { type: "string", default: "60" },
  } });
  if (!/^([0-9a-f]{2})+$/i.test(values.token)) throw new Error("--token or ZIGGURAT_TOKEN must be set, as hex digits");
  const [seed, patience] = [Number(values.seed), Number(values.patience)];
  if (!Number.isSafeInteger(seed) || !(patience >= 0)) throw new Error("--seed and --patience take numbers");
  const client = new Client({ ...values, token: Buffer.from(values.token, "hex"), patience,
    decide: (decision, opened) => choose(decision, randomness(seed, opened, decision)) });
  for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => client.stop());
  await client.run().finally(() => {
    const counts = Object.entries(client.count).map(([what, count]) => `${count} ${what}`);
    console.log(`${values.name}: ${counts.join(", ")}`);
    if (client.count.mismatches) process.exitCode = 1;
  });
}

main().catch((error: Error) => {
  console.error(`random-ts: ${error.message.replace(/\s+/g, " ")}`);
  process.exit(1);
});
