/** The template that `zotui kubernetes template` writes. Pure. */

/** The text of a template for this context; null where none is known. */
export function jobTemplateText(context: string | null): string {
  return `# A place to work in on a Kubernetes cluster: \`zotui --on job:NAME\`, by the name of this file.
# It stands in the folder of your own settings; zotui reads none from a project.

# The context and the namespace of your kubeconfig. Both must be named: another \`kubectl config use-context\` must not move your Jobs.
context: ${context === null ? 'my-cluster' : JSON.stringify(context)}
namespace: default

# An image with sh, base64, the agent (zot), and Node 18 or newer for the questions before calls. It must work as this user.
image: registry.example.com/me/agent:1
user: 1000

# Files on a volume survive when the cluster moves the pod to another node. Without one, they are lost then.
# volume:
#   claim: my-work
#   at: /work
# The folder to work in. It is made if it is missing.
# folder: /work/src
# The home folder, with the sessions of the agent. On the volume, a conversation goes on after such a move.
# home: /work/home

resources:
  requests: { cpu: 500m, memory: 1Gi }
  limits: { memory: 4Gi }

# Only for what the agent itself may do with the cluster. No token of it is mounted either way.
# serviceAccount: agents

# How many Jobs of this template you may have at once.
jobsAtOnce: 2
# How long to wait for a node and the image.
startMinutes: 10
# The pod ends itself after so many minutes without zotui, and the cluster ends the Job after so many, whatever happens.
idleMinutes: 30
deadlineMinutes: 480
# The cluster removes the Job so long after its end.
ttlMinutes: 60
# When zotui ends: \`keep\` leaves the Job for idleMinutes, \`remove\` removes it, and with it the files that are on no volume.
afterwards: keep

# Instead of image, user, volume, home, resources and serviceAccount, a whole Job can stand here. zotui adds its name, its labels, the
# command of the container, and what is missing of: no service-account token, deadline, time to live, restartPolicy Never.
# container: agent
# job:
#   spec:
#     template:
#       spec:
#         securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: RuntimeDefault } }
#         containers:
#           - name: agent
#             image: registry.example.com/me/agent:1
`
}
