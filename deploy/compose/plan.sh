# Made by "npm run generate:deployment" from the services of deploy/installation. Do not edit it.
# Sourced by restore.sh and roll.sh. A second replica is called <name>-2 and has the profile "production".

# Behind the gateway. They start before it, and let nobody in.
BEHIND_GATEWAY=(identity rbac traders inventory tasks events registry-import webhooks)
# Let people and machines in. In production the proxy stands in front of them.
EDGES=(gateway portal)
# Never started by a script. A restore stops them: they would act on a system that is not checked yet.
BY_HAND=(console sandbox)
