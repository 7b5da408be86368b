// Plays all matches of one token over one stream: checks views, answers in batches, attaches again when cut off.

import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { credentials, loadPackageDefinition, status, type ClientDuplexStream, type StatusObject } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { View, type Update } from "./view.js";

export const OPTIONS = 1, SUBSET = 2, RANGE = 3;
const ACCEPTED = 1, ILLEGAL = 2;

export interface Decision {
  id: number; kind: number; prompt: number[]; options: number[]; optionSize: number; optionSizes: number[];
  low: number; high: number; defaultChoice: number[]; leftMs: number;
}
export interface Opened { matchId: string; seat: number; game: string; gameInfoId: string; awaitsReady: boolean }
interface Answer { channel?: number; decisionId: number; choice: number[]; moveId: Buffer }
type Item = { channel: number } & (
  | { item: "opened"; opened: Opened }
  | { item: "update"; update: Update }
  | { item: "decision"; decision: Decision }
  | { item: "verdict"; verdict: { decisionId: number; status: number } }
  | { item: "closed" }
);
interface Response { welcome: { maxAnswers: number; keepaliveMs: number } | null; items: Item[]; stopping: boolean; ping: number }
type Stream = ClientDuplexStream<object, Response>;
type Stub = { play(): Stream; close(): void };

/** A seat in a match, kept from stream to stream. */
interface Seat {
  opened: Opened; channel: number; view: View; resyncs: number;
  due: boolean; // the decision waits to be answered on this stream
  decision?: Decision | undefined;
  answer?: Answer | undefined; // without a verdict yet
}

export interface Settings {
  address: string; // of one node or more, separated by commas
  name: string;
  token: Buffer;
  patience: number; // seconds after which an unreachable server is given up
  decide(decision: Decision, opened: Opened, view: View): number[];
}

const PROTOS = process.env.ZIGGURAT_PROTO || fileURLToPath(new URL("../../../proto", import.meta.url));
const CHANNEL = { "grpc.initial_reconnect_backoff_ms": 100, "grpc.max_reconnect_backoff_ms": 2000 };
const { OK, CANCELLED, DEADLINE_EXCEEDED, INTERNAL, RESOURCE_EXHAUSTED, UNAVAILABLE, UNKNOWN } = status;
const PASSING = [OK, CANCELLED, DEADLINE_EXCEEDED, INTERNAL, RESOURCE_EXHAUSTED, UNAVAILABLE, UNKNOWN];

const answerTo = ({ id }: Decision, choice: number[]): Answer => ({ decisionId: id, choice, moveId: randomBytes(8) });
const emptyOutbox = () => ({ ready: [] as number[], resync: [] as number[], answers: [] as Answer[] });

/** How many options a decision has. */
export function optionCount({ options, optionSize, optionSizes }: Decision): number {
  return optionSize ? options.length / optionSize : optionSizes.length;
}

export class Client {
  readonly count = { matches: 0, accepted: 0, refused: 0, attached: 0, mismatches: 0 };
  private readonly stubs: Stub[];
  private readonly seats = new Map<string, Seat>();
  private readonly channels = new Map<number, Seat>();
  private readonly stopping = new AbortController();
  private stream: Stream | undefined;
  private outbox = emptyOutbox();
  private maxAnswers = 64;
  private flushing: NodeJS.Immediate | undefined;

  constructor(private readonly settings: Settings) {
    const options = { defaults: true, longs: String, oneofs: true, includeDirs: [PROTOS] };
    const { ziggurat } = loadPackageDefinition(loadSync("ziggurat/v1/play.proto", options)) as any;
    this.stubs = settings.address.split(",").map((address) => {
      if (!/^(unix:.+|.+:\d+)$/.test(address)) throw new Error(`the address "${address}" is not host:port`);
      return new ziggurat.v1.BotService(address, credentials.createInsecure(), CHANNEL);
    });
  }

  /** Plays until stop() is called; throws if the server refuses the bot, is out of step or cannot be reached. */
  async run(): Promise<void> {
    const { signal } = this.stopping;
    let since = Date.now();
    let pause = 50;
    for (let turn = 0; !signal.aborted; turn++) {
      const [{ attached }, began] = [{ ...this.count }, Date.now()];
      const end = await this.attach(this.stubs[turn % this.stubs.length]!);
      if (this.count.attached > attached) since = Date.now();
      if (since - began > 5000) pause = 50; // two bots of one token must not push each other out at full speed
      if (signal.aborted) break;
      if (!PASSING.includes(end.code)) throw new Error(end.details);
      if (Date.now() - since > 1000 * this.settings.patience) throw new Error(`no server at ${this.settings.address}`);
      pause = Math.min(2 * pause, 5000);
      await sleep(pause * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {});
    }
    for (const stub of this.stubs) stub.close();
  }

  stop(): void {
    this.stopping.abort();
    this.stream?.cancel();
  }

  /** One stream, from hello to its end. */
  private attach(stub: Stub): Promise<StatusObject> {
    const held = [...this.seats.values()].filter(({ view }) => view.valid).map(({ opened: { matchId, seat }, view }) =>
      ({ matchId, seat, version: view.version, hash: view.hash }));
    this.channels.clear();
    this.outbox = emptyOutbox();
    const stream = (this.stream = stub.play());
    stream.write({ hello: { name: this.settings.name, token: this.settings.token, held } });
    let [beat, heard] = [0, 0];
    let heart: NodeJS.Timeout | undefined;
    return new Promise((resolve, reject) => {
      stream.on("data", ({ welcome, items, stopping, ping }: Response) => {
        heard = beat;
        if (welcome) {
          this.count.attached++;
          this.maxAnswers = welcome.maxAnswers || 64;
          heart = setInterval(() => {
            if (++beat - heard > 3) stream.cancel();
            else if (stream.writable) stream.write({ heartbeat: beat });
          }, welcome.keepaliveMs || 10_000);
        }
        if (ping && stream.writable) stream.write({ pong: ping });
        try {
          for (const item of items) this.take(item);
        } catch (error) {
          stream.cancel();
          reject(error);
        }
        if (stopping) stream.end();
      });
      stream.on("drain", () => this.flush());
      stream.on("error", () => {}); // the status says the same
      stream.on("status", (end: StatusObject) => {
        clearInterval(heart);
        resolve(end);
      });
    });
  }

  private take(item: Item): void {
    if (item.item === "opened") this.open(item.channel, item.opened);
    const seat = this.channels.get(item.channel);
    if (!seat) return;
    if (item.item === "update") {
      this.fold(seat, item.update);
    } else if (item.item === "decision") {
      seat.decision = item.decision;
      seat.due = true;
    } else if (item.item === "verdict" && seat.answer?.decisionId === item.verdict.decisionId) {
      this.judge(seat, item.verdict.status);
    } else if (item.item === "closed") {
      this.count.matches++;
      this.channels.delete(item.channel);
      this.seats.delete(`${seat.opened.matchId}/${seat.opened.seat}`);
      return;
    }
    if (seat.due && seat.decision && seat.view.valid) this.answer(seat, seat.decision);
    this.flushing ??= setImmediate(() => this.flush()); // when all that has come by now is taken
  }

  private open(channel: number, opened: Opened): void {
    const name = `${opened.matchId}/${opened.seat}`;
    const old = this.seats.get(name) ?? { view: new View(), resyncs: 0 };
    const seat = { ...old, opened, channel, due: false };
    this.seats.set(name, seat);
    this.channels.set(channel, seat);
    if (opened.awaitsReady) this.outbox.ready.push(channel);
  }

  private fold(seat: Seat, update: Update): void {
    const wasValid = seat.view.valid;
    if (update.rolledBack) Object.assign(seat, { due: false, answer: undefined });
    if (seat.view.fold(update)) {
      seat.resyncs = 0;
    } else if (wasValid || update.snapshot) {
      this.count.mismatches++;
      if (++seat.resyncs > 3) throw new Error(`match ${seat.opened.matchId}: snapshots do not have their state hash`);
      this.outbox.resync.push(seat.channel);
    }
  }

  /** Answers a decision; one that was answered already, without a verdict, gets the same answer again. */
  private answer(seat: Seat, decision: Decision): void {
    if (seat.answer?.decisionId !== decision.id) {
      seat.answer = answerTo(decision, this.settings.decide(decision, seat.opened, seat.view));
    }
    seat.due = false;
    this.outbox.answers.push({ ...seat.answer, channel: seat.channel });
  }

  private judge(seat: Seat, verdict: number): void {
    this.count[verdict === ACCEPTED ? "accepted" : "refused"]++;
    const again = verdict === ILLEGAL && seat.decision?.id === seat.answer?.decisionId ? seat.decision : undefined;
    seat.answer = again && answerTo(again, again.defaultChoice);
    seat.due ||= again !== undefined;
  }

  private flush(): void {
    const { ready, resync, answers } = this.outbox;
    this.flushing = undefined;
    while (ready.length + resync.length + answers.length && this.stream?.writable && !this.stream.writableNeedDrain) {
      const some = { ready: ready.splice(0), resync: resync.splice(0), answers: answers.splice(0, this.maxAnswers) };
      this.stream.write(some);
    }
  }
}
