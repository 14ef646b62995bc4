/**
 * The part of roz's protocol that zotui speaks, in our own words. Numbers and types are those of the wire. Fields and arms that
 * are not listed are skipped.
 *
 * Struct is that of Google, under another name: names of messages are not on the wire.
 */
export const ROZ_PROTO = `
syntax = "proto3";
package roz.v1;

service AgentService {
  rpc StreamSession(stream SessionRequest) returns (stream SessionResponse);
  rpc WatchTeam(WatchTeamRequest) returns (stream TeamEvent);
}

message Struct { map<string, Value> fields = 1; }
message ListValue { repeated Value values = 1; }
message Value {
  oneof kind {
    int32 null_value = 1;
    double number_value = 2;
    string string_value = 3;
    bool bool_value = 4;
    Struct struct_value = 5;
    ListValue list_value = 6;
  }
}

message SessionRequest {
  oneof request {
    StartSession start = 1;
    UserMessage user_message = 2;
    ToolResult tool_result = 3;
    CancelTurn cancel_turn = 4;
    CancelSession cancel_session = 5;
    Ping ping = 6;
    PermissionDecision permission_decision = 8;
  }
}
message StartSession {
  string environment_id = 1;
  optional string model = 3;
  repeated ToolSchema tools = 4;
  repeated ConversationMessage history = 5;
  repeated string project_context = 6;
}
message ToolSchema {
  string name = 1;
  string description = 2;
  Struct parameters_schema = 3;
  uint32 timeout_ms = 4;
  int32 category = 5;
}
message ConversationMessage {
  string role = 1;
  repeated ContentPart parts = 2;
}
message ContentPart {
  oneof part {
    TextContent text = 1;
    ToolUseContent tool_use = 2;
    ToolResultContent tool_result = 3;
    ImageContent image = 5;
  }
}
message TextContent { string text = 1; }
message ToolUseContent { string id = 1; string name = 2; Struct input = 3; }
message ToolResultContent { string tool_use_id = 1; string name = 2; string content = 3; bool is_error = 4; }
message ImageContent { string media_type = 1; bytes data = 2; }
message UserMessage {
  string content = 1;
  repeated ContentBlock context = 2;
  optional string message_id = 4;
}
message ContentBlock {
  oneof block {
    string text = 1;
  }
  optional string label = 3;
}
message ToolResult {
  string tool_call_id = 1;
  bool success = 2;
  string result = 3;
  optional int32 exit_code = 4;
  bool truncated = 5;
  optional int64 duration_ms = 6;
}
message CancelTurn { string reason = 1; }
message CancelSession { string reason = 1; }
message Ping {}
message PermissionDecision { string approval_id = 1; bool approved = 2; }

message SessionResponse {
  oneof response {
    // Arms of the generation before this one.
    bytes older_1 = 1;
    bytes older_2 = 2;
    bytes older_3 = 3;
    bytes older_4 = 4;
    bytes older_5 = 5;
    bytes older_6 = 6;
    Keepalive keepalive = 7;
    Pong pong = 8;
    TaskProgress task_progress = 15;
    SessionEventEnvelope session_event = 19;
  }
}
message Keepalive { optional uint32 tokens_used = 1; optional uint32 tokens_max = 2; }
message Pong {}
message TaskProgress { string task_id = 1; string phase = 2; string description = 4; }
message SessionEventEnvelope {
  string event_id = 1;
  string event_type = 5;
  oneof typed_event {
    SessionStarted session_started = 7;
    SessionRejected session_rejected = 8;
    SessionFailed session_failed = 9;
    Delta text_delta = 10;
    Delta thinking_delta = 11;
    TurnFinished turn_finished = 12;
    ServerCall tool_call_started = 13;
    ToolCallRequested tool_call_requested = 14;
    ServerCall tool_call_finished = 15;
    SafePause safe_pause_entered = 16;
    ActivityChanged activity_changed = 17;
    PresenceHinted presence_hinted = 18;
    TurnStarted turn_started = 19;
    SessionCompleted session_completed = 20;
    ContextCompacted context_compacted = 21;
    ToolUnavailable tool_unavailable = 22;
    ApprovalRequested approval_requested = 23;
    ApprovalResolved approval_resolved = 24;
    SafePause safe_pause_cleared = 25;
    SafetyIntervention safety_intervention = 30;
    McpServerDegraded mcp_server_degraded = 44;
    Skill skill_loaded = 45;
    Skill skill_crystallized = 46;
  }
}
message SessionStarted { string session_id = 1; optional string model_name = 4; }
message SessionRejected { string code = 1; string message = 2; bool retryable = 3; }
message SessionFailed { string failure = 1; }
message Delta { string content = 1; optional string message_id = 2; }
message TurnFinished {
  uint32 input_tokens = 1;
  uint32 output_tokens = 2;
  uint32 cache_creation_tokens = 3;
  uint32 cache_read_tokens = 4;
  string stop_reason = 5;
  optional string message_id = 6;
}
// The category of its start, or the summary of its end.
message ServerCall { string call_id = 1; string tool_name = 2; string words = 3; }
message ToolCallRequested { string call_id = 1; string tool_name = 2; Struct parameters = 3; uint32 timeout_ms = 4; }
message SafePause { string reason = 1; }
message ActivityChanged { string state = 1; string reason = 2; }
message PresenceHinted { string level = 1; string reason = 2; }
message TurnStarted { uint32 turn_index = 1; }
message SessionCompleted { string summary = 1; }
message ContextCompacted { string level = 1; uint32 messages_affected = 2; uint32 tokens_before = 3; uint32 tokens_after = 4; }
message ToolUnavailable { string tool_name = 1; string reason = 2; }
message ApprovalRequested { string approval_id = 1; string action = 2; string reason = 3; uint64 timeout_secs = 4; }
message ApprovalResolved { string approval_id = 1; }
message SafetyIntervention { string channel = 1; string kind = 4; string reason = 5; }
message McpServerDegraded { string server_name = 1; uint32 failure_count = 2; string last_error = 3; }
message Skill { string name = 1; string version = 2; }

message WatchTeamRequest { string task_id = 1; }
message TeamEvent {
  oneof event {
    Worker worker_started = 1;
    WorkerPhase worker_phase = 2;
    Worker worker_tool_call = 3;
    Worker worker_completed = 4;
    Worker worker_failed = 5;
    Worker worker_exited = 6;
    WorkerApproval worker_approval_requested = 7;
    WorkerApproval worker_approval_resolved = 8;
  }
}
// The second field is the host, the tool, the result, the reason or the parent task.
message Worker { string worker_id = 1; string about = 2; }
message WorkerPhase { string worker_id = 1; uint32 phase = 2; string mode = 3; }
message WorkerApproval { string worker_id = 1; }
`
