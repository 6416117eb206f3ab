import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from "@nestjs/common";
import {
  ConfigService,
  type InspectableJobQueueStrategy,
  isInspectableJobQueueStrategy,
  type Job,
  type JobQueue,
  JobQueueService,
  Logger,
} from "@vendure/core";
import { LOGGER } from "../logger";
import { SETTINGS, type Settings } from "../options";
import type { Changes } from "./changes";
import { WebhookBody } from "./webhook-body";
import { send } from "./webhook";

/** The name of the queue. */
export const QUEUE = "bundlesvc-webhooks";

/** A stored webhook. `id` stays the same in every attempt, even in another job for the same changes. */
interface Task extends Changes {
  id: string;
}

/** The state of the delivery of webhooks. */
export interface QueueState {
  readonly waiting: number;
  /** When the oldest waiting webhook was created. */
  readonly waitingSince: Date | null;
  readonly deliveredAt: Date | null;
  /** The error of the last attempt. */
  readonly failure: string | null;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Pauses in seconds within one attempt of the queue. Between attempts, each queue has its own rules; many queues retry immediately. */
const PAUSES = [1, 2, 4, 8, 16];
/** The number of retries, enough for more than a month. */
const RETRIES = 100_000;
/** No attempt takes this long: a job that runs longer belongs to a process that was killed. */
const LONGEST_RUN = 2 * MINUTE;

/** Stores webhooks as jobs, and sends them until they are delivered. */
@Injectable()
export class WebhookQueue implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  private queue!: JobQueue<Task>;
  private readonly ending = new AbortController();
  private rescuing: NodeJS.Timeout | null = null;
  private failure: string | null = null;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly jobs: JobQueueService,
    private readonly configService: ConfigService,
    private readonly bodies: WebhookBody,
  ) {}

  async onModuleInit(): Promise<void> {
    if (!this.settings.webhooks) return;
    this.queue = await this.jobs.createQueue<Task>({ name: QUEUE, process: (job) => this.deliver(job.data) });
  }

  onApplicationBootstrap(): void {
    if (!this.settings.webhooks) return;
    void this.rescue();
    this.rescuing = setInterval(() => void this.rescue(), MINUTE);
    this.rescuing.unref();
  }

  onModuleDestroy(): void {
    if (this.rescuing) clearInterval(this.rescuing);
    this.ending.abort();
  }

  async add(changes: Changes): Promise<void> {
    await this.store({ ...changes, id: randomUUID() });
  }

  /** The state of the queue; null for a queue that cannot list its jobs. */
  async state(): Promise<QueueState | null> {
    const strategy = this.inspectable();
    if (!strategy) return null;
    const waiting = await this.find(strategy, { isSettled: { eq: false } }, "ASC");
    const delivered = await this.find(strategy, { state: { eq: "COMPLETED" } }, "DESC");
    const oldest = waiting.items[0];
    return {
      waiting: waiting.totalItems,
      waitingSince: oldest?.createdAt ?? null,
      deliveredAt: delivered.items[0]?.settledAt ?? null,
      failure: waiting.totalItems > 0 ? (this.failure ?? (oldest?.error as string | undefined) ?? null) : null,
    };
  }

  private async store(task: Task): Promise<void> {
    try {
      await this.queue.add(task, { retries: RETRIES });
    } catch (error) {
      Logger.error(`A webhook cannot be stored, and is lost: ${String(error)}`, LOGGER);
    }
  }

  /** Delivers changes. Throws an error when this fails for half a minute: the queue then retries. */
  private async deliver(task: Task): Promise<void> {
    const to = this.settings.webhooks;
    if (!to) return;
    for (const pause of [...PAUSES, null]) {
      try {
        const body = await this.bodies.of(task);
        if (body) await send(to, task.id, body);
        this.succeeded();
        return;
      } catch (error) {
        this.failed(error instanceof Error ? error.message : String(error));
        if (pause === null || this.ending.signal.aborted) throw error;
        await sleep(pause * SECOND, undefined, { signal: this.ending.signal, ref: false }).catch(() => {
          throw error; // the process ends: what is stored says why the webhook did not arrive
        });
      }
    }
  }

  private succeeded(): void {
    if (this.failure !== null) Logger.info("Webhooks are delivered again.", LOGGER);
    this.failure = null;
  }

  private failed(reason: string): void {
    if (this.failure !== reason) Logger.warn(`Webhooks are not delivered, and wait: ${reason}`, LOGGER);
    this.failure = reason;
  }

  /** Stores the changes of jobs again whose process was killed. The service recognises them by their ids. */
  private async rescue(): Promise<void> {
    const strategy = this.inspectable();
    if (!strategy) return;
    try {
      const { items } = await this.find(strategy, { state: { eq: "RUNNING" } }, "ASC");
      for (const job of items.filter(isDead)) {
        await this.store(job.data);
        await strategy.cancelJob(String(job.id));
      }
    } catch (error) {
      Logger.error(`The jobs of killed processes cannot be read: ${String(error)}`, LOGGER);
    }
  }

  private inspectable(): InspectableJobQueueStrategy | null {
    const { jobQueueStrategy } = this.configService.jobQueueOptions;
    return this.settings.webhooks && isInspectableJobQueueStrategy(jobQueueStrategy) ? jobQueueStrategy : null;
  }

  private async find(
    strategy: InspectableJobQueueStrategy,
    filter: object,
    direction: "ASC" | "DESC",
  ): Promise<{ items: Array<Job<Task>>; totalItems: number }> {
    const found = await strategy.findMany({
      filter: { queueName: { eq: QUEUE }, ...filter },
      sort: { createdAt: direction as never },
      take: 100,
    });
    return { items: found.items as Array<Job<Task>>, totalItems: found.totalItems };
  }
}

function isDead({ startedAt }: Job<Task>): boolean {
  return startedAt !== undefined && Date.now() - new Date(startedAt).getTime() > LONGEST_RUN;
}
