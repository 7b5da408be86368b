// A bot that plays any game at random. Equal seeds make equal choices in equally named matches.

import { parseArgs } from "node:util";
import { Client, optionCount, RANGE, SUBSET, type Decision, type Opened } from "./client.js";
import { fmix32 } from "./view.js";

type Below = (limit: number) => number;

/** Numbers for one decision: Mulberry32-like, from the seed, the match, the seat and the decision. */
function generator(seed: number, { matchId, seat }: Opened, decision: Decision): Below {
  let state = [...Buffer.from(matchId), seat, decision.id].reduce((value, next) => fmix32(value ^ next) + 1, seed);
  return (limit) => {
    state = (state + 0x9e3779b9) | 0;
    return Math.floor((fmix32(state) / 2 ** 32) * limit);
  };
}

function choose({ kind, low, high }: Decision, count: number, below: Below): number[] {
  if (kind === RANGE) return [low + below(high - low + 1)];
  if (kind !== SUBSET) return [below(count)];
  const indexes = Array.from({ length: count }, (_, index) => index);
  let size = low + below(high - low + 1);
  return indexes.filter((index) => below(count - index) < size && size-- > 0);
}

async function main(): Promise<void> {
  const { ZIGGURAT_ADDRESS, ZIGGURAT_NAME, ZIGGURAT_TOKEN } = process.env;
  const { values } = parseArgs({
    options: {
      address: { type: "string", default: ZIGGURAT_ADDRESS ?? "127.0.0.1:50051" },
      name: { type: "string", default: ZIGGURAT_NAME ?? "random-ts" },
      token: { type: "string", default: ZIGGURAT_TOKEN ?? "" },
      seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 32)) },
      patience: { type: "string", default: "60" },
    },
  });
  const { address, name, token } = values;
  if (!/^([0-9a-f]{2})+$/i.test(token)) throw new Error("--token or ZIGGURAT_TOKEN must be set, as hex digits");
  const [seed, patience] = [Number(values.seed), Number(values.patience)];
  if (!Number.isSafeInteger(seed) || !(patience >= 0)) throw new Error("--seed and --patience take numbers");
  const client = new Client({
    address,
    name,
    token: Buffer.from(token, "hex"),
    patience,
    decide: (decision, opened) => choose(decision, optionCount(decision), generator(seed, opened, decision)),
  });
  process.once("SIGTERM", () => client.stop()).once("SIGINT", () => client.stop());
  try {
    await client.run();
  } finally {
    console.log(`${name}: ${Object.entries(client.count).map(([what, count]) => `${count} ${what}`).join(", ")}`);
    if (client.count.mismatches) process.exitCode = 1;
  }
}

main().catch((error: Error) => {
  console.error(`random-ts: ${error.message.replace(/\s+/g, " ")}`);
  process.exit(1);
});
