package io.kubepods.agent;

import io.kubepods.agent.http.Response;
import io.kubepods.cgroup.Value;
import io.kubepods.oom.OomIncident;
import io.kubepods.oom.OomKill;
import io.kubepods.oom.OomMemory;
import java.util.List;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The last OOMs as JSON, the newest first. What is not known is not there.
 *
 * <pre>
 * {"incidents":[{"time":"2026-03-01T10:00:00Z","namespace":"shop","pod":"order-api-0","podUid":"…","container":"api",
 *   "containerId":"…","cause":"container_limit","kills":2,"limitBytes":268435456,
 *   "victim":{"pid":4711,"command":"java","anonBytes":…,"fileBytes":…,"shmemBytes":…,"oomScoreAdj":985},
 *   "memory":{"usageBytes":268435456,"anonBytes":…,"fileBytes":…,"shmemBytes":…,"kernelBytes":…}}]}
 * </pre>
 */
final class OomApi {
    private static final ObjectMapper JSON = new ObjectMapper();

    private OomApi() {}

    static Response of(List<OomIncident> incidents) {
        ObjectNode all = JSON.createObjectNode();
        ArrayNode array = all.putArray("incidents");
        for (OomIncident incident : incidents) {
            add(incident, array.addObject());
        }
        return Response.of("application/json", out -> out.write(JSON.writeValueAsBytes(all)));
    }

    private static void add(OomIncident incident, ObjectNode to) {
        to.put("time", incident.time().toString());
        put(to, "namespace", incident.namespace());
        put(to, "pod", incident.pod());
        put(to, "podUid", incident.podUid());
        put(to, "container", incident.container());
        put(to, "containerId", incident.containerId());
        to.put("cause", incident.cause().label());
        put(to, "kills", incident.kills());
        put(to, "limitBytes", incident.limitBytes());
        OomKill victim = incident.victim();
        if (victim != null) {
            ObjectNode process = to.putObject("victim");
            process.put("pid", victim.pid());
            process.put("command", victim.command());
            put(process, "anonBytes", victim.anonRss());
            put(process, "fileBytes", victim.fileRss());
            put(process, "shmemBytes", victim.shmemRss());
            put(process, "oomScoreAdj", victim.oomScoreAdj());
            OomMemory memory = victim.memory();
            if (memory != null) {
                ObjectNode charged = to.putObject("memory");
                put(charged, "usageBytes", memory.usage());
                put(charged, "anonBytes", memory.anon());
                put(charged, "fileBytes", memory.file());
                put(charged, "shmemBytes", memory.shmem());
                put(charged, "kernelBytes", memory.kernel());
            }
        }
    }

    private static void put(ObjectNode to, String name, String value) {
        if (!value.isEmpty()) {
            to.put(name, value);
        }
    }

    private static void put(ObjectNode to, String name, long value) {
        if (Value.isNumber(value)) {
            to.put(name, value);
        }
    }
}
